import type { Command } from 'commander'

/** Shells a completion script can be written for. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** Every command path with the words that may follow it, read from the program itself so that it cannot drift. */
interface CompletionRow {
  readonly path: readonly string[]
  readonly words: readonly string[]
}

const writers: Record<Shell, (rows: readonly CompletionRow[]) => string> = { bash: forBash, zsh: forZsh, fish: forFish }

/** The completion script of a program for one shell; `eval "$(chancela completion bash)"` loads it. */
export const completionScript = (program: Command, shell: Shell): string => writers[shell](completionRows(program))

function completionRows(command: Command, path: readonly string[] = []): CompletionRow[] {
  const commands = command.commands.filter((child) => child.name() !== 'help')
  const words = [
    ...commands.map((child) => child.name()),
    ...command.options.flatMap((option) => option.long ?? []),
    '--help',
  ]
  return [{ path, words }, ...commands.flatMap((child) => completionRows(child, [...path, child.name()]))]
}

function forBash(rows: readonly CompletionRow[]): string {
  return `_chancela() {
  local offers
  case "$(_chancela_path)" in
${shellCases(rows)}
  esac
  COMPREPLY=($(compgen -W "$offers" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
_chancela_path() {
  local i trail=""
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in -*) ;; *) trail="$trail \${COMP_WORDS[i]}" ;; esac
  done
  echo "\${trail# }"
}
complete -o default -F _chancela chancela
`
}

// zsh runs bash completion functions as they are, once its own bridge is loaded.
function forZsh(rows: readonly CompletionRow[]): string {
  return `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${forBash(rows)}`
}

const shellCases = (rows: readonly CompletionRow[]) =>
  rows.map(({ path, words }) => `    "${path.join(' ')}") offers="${words.join(' ')}" ;;`).join('\n')

function forFish(rows: readonly CompletionRow[]): string {
  const lines = rows.flatMap(({ path, words }) => words.map((word) => fishLine(path, word)))
  return `complete -c chancela -f\n${lines.join('\n')}\n`
}

function fishLine(path: readonly string[], word: string): string {
  const condition =
    path.length === 0
      ? '__fish_use_subcommand'
      : path.map((part) => `__fish_seen_subcommand_from ${part}`).join('; and ')
  const completion = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`
  return `complete -c chancela -n '${condition}' ${completion}`
}
