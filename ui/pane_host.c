#include "config.h"

#include "ui/panes.h"

const struct pane_ops pane_host_ops = { 0 };
