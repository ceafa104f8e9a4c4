import { type ConsoleRole, consoleRoles } from '@chancela/admin-console/contract'
import { Argument, type Command, Option } from 'commander'
import {
  createAdministratorCommand,
  listAdministratorsCommand,
  removeAdministratorCommand,
  resetSecondFactorCommand,
  setRoleCommand,
} from './administrators-commands.ts'
import type { CommandContext, CommonOptions } from './command-context.ts'
import type { PasswordOptions } from './signatures/secrets.ts'
import { type FileOptions, importCommand, listVaultCommand, removeCommand, replaceCommand } from './vault-commands.ts'

type WithCommon = (command: Command) => Command

const withPassword = (command: Command, whose: string): Command =>
  command
    .option('--password <password>', `${whose}; visible to other users of this machine`)
    .option('--password-file <file>', 'its first line is the password; else CHANCELA_PASSWORD, else a prompt')

/** `chancela administrators …`: who signs in at the console of a service. */
export function addAdministrators(program: Command, context: CommandContext, withCommon: WithCommon): void {
  const administrators = program.command('administrators').description('Look after the administrators of a service.')
  withCommon(administrators.command('list').description('Show who may sign in at the console.'))
    .argument('<service>')
    .action((service: string, options: CommonOptions) => listAdministratorsCommand(context, service, options))
  withPassword(
    withCommon(administrators.command('create').description('Add an administrator, such as the first one.')),
    'to sign in with',
  )
    .argument('<service>')
    .requiredOption('--email <address>', 'to sign in with')
    .requiredOption('--name <name>', 'of the person')
    .addOption(new Option('--role <role>', 'what the person may do').choices(consoleRoles).default('administrator'))
    .action(
      (
        service: string,
        options: CommonOptions & PasswordOptions & { email: string; name: string; role: ConsoleRole },
      ) => createAdministratorCommand(context, service, options),
    )
  withCommon(administrators.command('set-role').description('Give an administrator another role; one always stays.'))
    .argument('<service>')
    .argument('<email>')
    .addArgument(new Argument('<role>', 'what the person may do').choices(consoleRoles))
    .action((service: string, email: string, role: ConsoleRole, options: CommonOptions) =>
      setRoleCommand(context, { service, email, role }, options),
    )
  withCommon(administrators.command('remove').description('Remove an administrator; one always stays.'))
    .argument('<service>')
    .argument('<email>')
    .action((service: string, email: string, options: CommonOptions) =>
      removeAdministratorCommand(context, service, email, options),
    )
  withCommon(administrators.command('reset-second-factor').description('Forget the authenticator app of somebody.'))
    .argument('<service>')
    .argument('<email>')
    .action((service: string, email: string, options: CommonOptions) =>
      resetSecondFactorCommand(context, service, email, options),
    )
}

/** `chancela vault …`: the certificates a service keeps for their holders. */
export function addVault(program: Command, context: CommandContext, withCommon: WithCommon): void {
  const vault = program.command('vault').description('Look after the certificates in the vault of a service.')
  const withFile = (command: Command): Command =>
    withPassword(withCommon(command), 'of the file, which is the PIN of its certificate')
      .requiredOption('--file <file>', 'key and certificate in a .p12 or .pfx file')
      .option('--cpf <cpf>', 'for which it is held; by default the one the certificate names')
  withCommon(vault.command('list').description('Show the certificates.'))
    .argument('<service>')
    .option('--cpf <cpf>', 'those of one holder')
    .action((service: string, options: CommonOptions & { cpf?: string }) => listVaultCommand(context, service, options))
  withFile(vault.command('import').description('Take a PKCS#12 into the vault; its password is kept nowhere.'))
    .argument('<service>')
    .action((service: string, options: FileOptions) => importCommand(context, service, options))
  withFile(vault.command('replace').description('Put another PKCS#12 in the place of one.'))
    .argument('<service>')
    .argument('<id>')
    .action((service: string, id: string, options: FileOptions) => replaceCommand(context, service, id, options))
  withCommon(vault.command('remove').description('Take a certificate out of the vault.'))
    .argument('<service>')
    .argument('<id>')
    .action((service: string, id: string, options: CommonOptions) => removeCommand(context, service, id, options))
}
