# Sourced before commands of a page: `docker compose` as a reader has it, for a
# project of a test. Needs compose(), $all and $hasPlugin.

docker() {
  if [ "$1" != compose ]; then
    command docker "$@"
    return
  fi
  shift
  # The project has its file already.
  if [ "$1" = -f ]; then shift 2; fi
  local verb=$1
  shift
  case "$verb" in
    # Everything, but no image is fetched.
    up) if [ "$*" = -d ]; then compose up -d --no-build $all; else up "$@"; fi ;;
    cp) if $hasPlugin; then compose cp "$@"; else command docker cp "$(compose ps -q "${1%%:*}"):${1#*:}" "$2"; fi ;;
    *) compose "$verb" "$@" ;;
  esac
}

# The older program does not know --wait.
up() {
  if $hasPlugin; then
    compose up "$@"
    return
  fi
  local -a rest=()
  local arg waits=false
  for arg in "$@"; do
    if [ "$arg" = --wait ]; then waits=true; else rest+=("$arg"); fi
  done
  compose up "${rest[@]}"
  until ! $waits || [ "$(command docker inspect -f '{{.State.Health.Status}}' "$(compose ps -q "${rest[-1]}")")" = healthy ]; do
    sleep 0.2
  done
}
