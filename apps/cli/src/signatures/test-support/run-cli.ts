import { type CommandContext, runCli } from '../../index.ts'

/** Runs the command line in this process; what it printed, and how it ended. */
export async function cli(args: readonly string[], changes: Partial<CommandContext> = {}) {
  const out: string[] = []
  const err: string[] = []
  const code = await runCli(args, {
    services: [],
    environment: {},
    print: (text) => void out.push(text),
    log: (text) => void err.push(text),
    progress: () => {},
    askSecret: async () => undefined,
    ...changes,
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}
