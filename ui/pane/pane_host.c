#include "config.h"

#include "ui/pane/panes.h"

const struct pane_ops pane_host_ops = { 0 };
