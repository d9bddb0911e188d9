#!/bin/sh
# Sets a fresh machine up: the system libraries that Qt, the X server and the tests need, uv, and the virtual environment.
#
# usage: scripts/bootstrap.sh app|test
#   app    what `make demo` and `make app` need
#   test   that, and what the test suite needs (a browser among it)
set -eu
cd "$(dirname "$0")/.."
what=${1:-app}

say() { printf '%s\n' "$*" >&2; }

# Debian's names. libxcb-* and libegl1 are what Qt's xcb plug-in links to; without one of them Qt cannot start.
libraries="libegl1 libgl1 libglib2.0-0 libdbus-1-3 libfontconfig1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4
libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 libxcb-xinerama0 libxcb-xkb1 fonts-dejavu-core"
programs="xvfb openbox x11-xkb-utils xkb-data"
[ "$what" = test ] && programs="$programs chromium chromium-driver xclip xdotool dbus-daemon at-spi2-core zenity tint2
weston xwayland xserver-xephyr xsettingsd
libgtk-4-1 xserver-xorg-core xserver-xorg-video-dummy x11-xserver-utils fonts-liberation
tesseract-ocr tesseract-ocr-ell tesseract-ocr-heb fonts-nanum fonts-lohit-deva fonts-wqy-microhei"

missing_packages() {
  for package in $libraries $programs; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || printf '%s ' "$package"
  done
}

system_packages() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    [ "$(uname)" = Linux ] && say "Not Debian or Ubuntu: install your system's packages for: $libraries $programs"
    return 0
  fi
  missing=$(missing_packages)
  [ -z "$missing" ] && return 0
  if [ "$(id -u)" = 0 ]; then
    say "Installing system packages: $missing"
    apt-get update -qq
    # shellcheck disable=SC2086 - a list of names
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
  else
    say "System packages are missing. Run this once, then try again:"
    say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends $missing"
    exit 1
  fi
}

find_uv() {
  if command -v uv >/dev/null 2>&1; then
    UV=uv
  elif [ -x .uv/bin/uv ]; then
    UV=.uv/bin/uv
  else
    UV=
  fi
}

get_uv() {
  find_uv
  [ -n "$UV" ] && return 0
  say "Installing uv into .uv/"
  if ! command -v python3 >/dev/null 2>&1 || ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
      apt-get update -qq
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 python3-venv ca-certificates >/dev/null
    else
      say "Python's venv module is missing. Run this once, then try again:"
      say "  sudo apt-get install -y python3 python3-venv"
      exit 1
    fi
  fi
  python3 -m venv .uv
  .uv/bin/pip install --quiet --disable-pip-version-check uv
  UV=.uv/bin/uv
}

system_packages
get_uv
if [ "$what" = test ]; then
  "$UV" sync --quiet --locked --all-extras
else
  # The app needs neither the test tools nor the browser pages.
  "$UV" sync --quiet --locked --extra ocr --no-default-groups --inexact
fi
