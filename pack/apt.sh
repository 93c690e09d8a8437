#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# apt.sh ARCH DIR COMMAND...: apt-get with lists of its own below DIR, for ARCH, from where this machine's apt
# has its packages from; no root is needed, nothing is installed. What it downloads comes into DIR/fetched.
set -eu
arch=$1
mkdir -p "$2/apt/lists/partial" "$2/apt/cache/archives/partial" "$2/fetched"
dir=$(cd "$2" && pwd)
shift 2
key=signed-by=/usr/share/keyrings/debian-archive-keyring.gpg
# shellcheck disable=SC2016 # apt expands it
apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 'Component: main' | sort -u |
    while read -r uri release; do
        echo "deb [arch=$arch $key] $uri $release main"
        echo "deb-src [$key] $uri $release main"
    done >"$dir/apt/sources"
[ -s "$dir/apt/sources" ] || { echo "apt.sh: apt has no sources; is 'apt-get update' to be run?" >&2; exit 1; }
user=$(id -un 2>/dev/null) || user=$(id -u) # id -un prints a number, and fails, for a user without a name
cat >"$dir/apt/conf" <<END
Dir::Etc::sourcelist "$dir/apt/sources";
Dir::Etc::sourceparts "-";
Dir::State::lists "$dir/apt/lists";
Dir::Cache "$dir/apt/cache";
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
APT::Sandbox::User "$user";
END
APT_CONFIG=$dir/apt/conf
export APT_CONFIG
[ -f "$dir/apt/updated" ] || { apt-get -q update && touch "$dir/apt/updated"; }
cd "$dir/fetched"
apt-get -q "$@"
