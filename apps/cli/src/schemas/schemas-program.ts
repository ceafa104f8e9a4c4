import { type Command, Option } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { exitCodesHelp } from '../signatures/exit-codes.ts'

/** `chancela schemas import|list|check`: the official schemas of academic documents, for a second verdict. */
export function addSchemas(program: Command, context: CommandContext): void {
  const schemas = program.command('schemas').description('Judge academic documents (diploma digital) by their layouts.')
  const withFolder = (command: Command) =>
    command.addOption(
      new Option('--data <folder>', 'where the suite keeps its data').env('CHANCELA_DATA').default('data'),
    )
  withFolder(
    schemas
      .command('import')
      .description('Add the official schema files, so that every document gets a second verdict by them.')
      .argument('<folder>', 'with the .xsd files of one or more versions, as the ministry publishes them'),
  ).action(async (folder: string, options) =>
    (await import('./schemas-commands.ts')).importSchemas(context, folder, options),
  )
  withFolder(
    schemas.command('list').description('Show the layouts that are known, and which official files are there.'),
  )
    .option('--json', 'as JSON')
    .action(async (options) => (await import('./schemas-commands.ts')).listSchemas(context, options))
  withFolder(
    schemas
      .command('check')
      .description(
        'Say what is wrong with academic documents: by our tables and, where added, by the official schemas.',
      )
      .argument('<input...>', 'XML files or folders'),
  )
    .option('--before-signing', 'signatures may be missing; only our tables judge then')
    .option('--json', 'as JSON')
    .addHelpText('after', exitCodesHelp)
    .action(async (paths: string[], options) =>
      (await import('./schemas-commands.ts')).checkDocuments(context, paths, options),
    )
}
