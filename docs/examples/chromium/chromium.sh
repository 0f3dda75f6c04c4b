#!/bin/sh
# Starts Chromium with the lists of a server: chromium.sh HOST:PORT [URL…]
set -eu
server=$1
shift
exec chromium \
  --host-resolver-rules="MAP safebrowsing.googleapis.com $server" \
  --enable-features=SafeBrowsingLocalListsUseSBv5 \
  "$@"
