import { eventFormats } from '@chancela/service-kernel/events'
import { INTERFACE_LANGUAGES } from '@chancela/service-kernel/i18n'
import { Argument, type Command, Option } from 'commander'
import { type AuditOptions, showAuditKeys, verifyAuditCommand } from './audit-command.ts'
import { type ExportOptions, exportAuditCommand } from './audit-export-command.ts'
import type { CommandContext, CommonOptions } from './command-context.ts'
import { completionScript, type Shell, shells } from './completion.ts'
import { checkConfig, describeConfig, printConfig } from './config-commands.ts'
import {
  createKeyCommand,
  type KeyOptions,
  listKeysCommand,
  revokeKeyCommand,
  switchApplicationCommand,
} from './keys-commands.ts'
import { migrateCommand } from './migrate-command.ts'
import { addAdministrators, addVault } from './operator-program.ts'
import { addProviders, addRedirectUris } from './provider-program.ts'
import { restoreCommand } from './restore-command.ts'
import { rootCommand } from './root-command.ts'
import { addSchemas } from './schemas/schemas-program.ts'
import { forgetCommand, rotateCommand } from './secrets-commands.ts'
import { addSignatureCommands } from './signatures/signature-program.ts'
import { startCommand } from './start-command.ts'

// Rules of the terminal: results go to standard output, progress and problems to standard error; a problem the user can
// fix is one sentence without a stack; the only prompt is for a password that was not given, and only at a terminal, so
// that every command works in a script.

const servicesArgument = () => new Argument('[services...]', 'names of services; all when none is given')

/** The whole command line, over the services of this build. */
export function createProgram(context: CommandContext): Command {
  const program = rootCommand(context)
  addStart(program, context)
  addMigrate(program, context)
  addConfig(program, context)
  addKeys(program, context)
  addAdministrators(program, context, withCommon)
  addVault(program, context, withCommon)
  addProviders(program, context, withCommon)
  addRedirectUris(program, context, withCommon)
  addSecrets(program, context)
  addRestore(program, context)
  addAudit(program, context)
  addSignatureCommands(program, context)
  addSchemas(program, context)
  addCompletion(program, context)
  return program
}

/** Options all commands share. */
const withCommon = (command: Command): Command =>
  command
    .addOption(new Option('--config <file>', 'settings file').env('CHANCELA_CONFIG'))
    .addOption(
      new Option('--data <folder>', 'where relative paths of settings begin').env('CHANCELA_DATA').default('data'),
    )

function addStart(program: Command, context: CommandContext): void {
  withCommon(program.command('start').description('Start services and answer until stopped.'))
    .addArgument(servicesArgument())
    .option('--only <names>', 'the same, comma-separated', (list: string) => list.split(',').filter(Boolean), [])
    .action((names: string[], options: CommonOptions & { only: string[] }) =>
      startCommand(context, [...names, ...options.only], options),
    )
}

function addMigrate(program: Command, context: CommandContext): void {
  withCommon(program.command('migrate').description('Bring databases to the schema of this program.'))
    .addArgument(servicesArgument())
    .action((names: string[], options: CommonOptions) => migrateCommand(context, names, options))
}

function addConfig(program: Command, context: CommandContext): void {
  const config = program.command('config').description('Look at the settings.')
  withCommon(
    config.command('print').description('Show the effective settings and where each comes from, without secrets.'),
  )
    .addArgument(servicesArgument())
    .option('--json', 'as JSON')
    .action((names: string[], options: CommonOptions & { json?: boolean }) => printConfig(context, names, options))
  withCommon(config.command('check').description('Report every wrong setting at once.'))
    .addArgument(servicesArgument())
    .action((names: string[], options: CommonOptions) => checkConfig(context, names, options))
  config
    .command('reference')
    .description('Every setting with its default and meaning, as Markdown.')
    .addArgument(servicesArgument())
    .action((names: string[]) => describeConfig(context, names))
}

function addKeys(program: Command, context: CommandContext): void {
  const keys = program.command('keys').description('Manage the API keys of a service.')
  withCommon(keys.command('list').description('Show the keys; never their secrets.'))
    .argument('<service>')
    .action((service: string, options: CommonOptions) => listKeysCommand(context, service, options))
  withCommon(keys.command('create').description('Make a key and show it once.'))
    .argument('<service>')
    .requiredOption('--application <name>', 'the client it is for; made when new')
    .option('--description <text>', 'what the key is for', 'made by chancela keys create')
    .option('--expires <time>', 'ISO 8601 time after which it is refused; never when absent')
    .option('--redirect-uri <uri...>', 'where its users may be sent back to, for a service that sends them')
    .action((service: string, options: CommonOptions & KeyOptions) => createKeyCommand(context, service, options))
  withCommon(keys.command('revoke').description('Refuse a key for good.'))
    .argument('<service>')
    .argument('<id>')
    .action((service: string, id: string, options: CommonOptions) => revokeKeyCommand(context, service, id, options))
  for (const [name, disabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    withCommon(keys.command(name).description(`${disabled ? 'Refuse' : 'Accept'} every key of an application.`))
      .argument('<service>')
      .argument('<application>')
      .action((service: string, application: string, options: CommonOptions) =>
        switchApplicationCommand(context, service, application, { ...options, disabled }),
      )
  }
}

function addSecrets(program: Command, context: CommandContext): void {
  const secrets = program.command('secrets').description('Look after the master key of a service.')
  withCommon(
    secrets.command('rotate').description('Make a new master key, seal everything under it, drop the old one.'),
  )
    .argument('<service>')
    .action((service: string, options: CommonOptions) => rotateCommand(context, service, options))
  withCommon(secrets.command('forget').description('Give up what lost master keys have sealed, to start without them.'))
    .argument('<service>')
    .argument('<key-id...>')
    .action((service: string, ids: string[], options: CommonOptions) => forgetCommand(context, service, ids, options))
}

function addRestore(program: Command, context: CommandContext): void {
  withCommon(program.command('restore').description('Put a backup in the place of the database of a stopped service.'))
    .requiredOption('--service <name>', 'the service')
    .requiredOption('--from <file>', 'the backup')
    .action((options: CommonOptions & { service: string; from: string }) => restoreCommand(context, options))
}

function addAudit(program: Command, context: CommandContext): void {
  const audit = program.command('audit').description('Look after what services recorded.')
  withCommon(audit.command('verify').description('Say whether anybody changed what was recorded; changes nothing.'))
    .addArgument(servicesArgument())
    .option('--export <file>', 'verify an export of a chain, without any database')
    .option('--head <head...>', 'a head that was printed earlier, which must be part of the chain', [])
    .option('--previous <file>', 'an earlier export, whose head must be part of the chain')
    .option(
      '--checkpoint <file...>',
      'a file with checkpoints that were kept, such as a log, which the chain must extend',
      [],
    )
    .option('--key <id...>', 'a key that was noted (chancela audit key): no other signs checkpoints', [])
    .option('--json', 'as JSON')
    .action((names: string[], options: AuditOptions) => verifyAuditCommand(context, names, options))
  withCommon(audit.command('export').description('Write the events of a service, or its whole chain, to a file.'))
    .argument('<service>')
    .requiredOption('--output <file>', 'a file that is not there yet')
    .addOption(
      new Option('--format <format>', 'for spreadsheets, for programs, or the chain for chancela audit verify')
        .choices([...eventFormats, 'chain'])
        .default('csv'),
    )
    .option('--from <time>', 'events from this time on, in UTC unless it says otherwise')
    .option('--to <time>', 'events before this time')
    .addOption(
      new Option('--language <language>', 'of titles and sentences').choices(INTERFACE_LANGUAGES).default('pt-BR'),
    )
    .action((name: string, options: ExportOptions) => exportAuditCommand(context, name, options))
  withCommon(audit.command('key').description('Print the keys that sign the checkpoints of a service: id and key.'))
    .argument('<service>')
    .action((name: string, options: CommonOptions) => showAuditKeys(context, name, options))
}

function addCompletion(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .description('Print a completion script: eval "$(chancela completion bash)".')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell: Shell) => context.print(completionScript(program, shell).trimEnd()))
}
