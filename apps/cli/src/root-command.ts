import { Command } from 'commander'
import type { CommandContext } from './command-context.ts'

/** The command that all others are below. */
export const rootCommand = (context: CommandContext): Command =>
  new Command('chancela')
    .description('Digital signature services for ICP-Brasil, self-hosted.')
    .version(context.version)
    // The whole help would push the error off the screen.
    .showHelpAfterError('--help shows the arguments and options.')
    .configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.log(text.trimEnd()),
    })
