import { Command } from 'commander'
import type { CommandContext } from './command-context.ts'

/** The command that all others are below. */
export const rootCommand = (context: CommandContext): Command =>
  new Command('chancela')
    .description('Digital signature services for ICP-Brasil, self-hosted.')
    .version(context.version)
    .showHelpAfterError()
    .configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.log(text.trimEnd()),
    })
