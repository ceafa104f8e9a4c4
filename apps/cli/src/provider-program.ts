import type { Command } from 'commander'
import type { CommandContext, CommonOptions } from './command-context.ts'
import {
  addProviderCommand,
  listPresetsCommand,
  listProvidersCommand,
  type ProviderOptions,
  registerProviderCommand,
  removeProviderCommand,
  switchProviderCommand,
  testProviderCommand,
  updateProviderCommand,
} from './providers-commands.ts'
import { addRedirectUriCommand, listRedirectUrisCommand, removeRedirectUriCommand } from './redirect-uris-commands.ts'

type WithCommon = (command: Command) => Command

const withFields = (command: Command): Command =>
  command
    .option('--name <name>', 'as clients name it; part of its callback')
    .option('--company <company>', 'who operates it')
    .option('--endpoint <url>', 'its address, with the version')
    .option('--badge <url>', 'its logo; empty for a plain one')
    .option('--client-id <id>', 'of this hub at the provider')
    .option('--secret-file <file>', 'its first line is the secret; else CHANCELA_PASSWORD, else a prompt')
    .option('--knob <name=value...>', 'what differs from the preset; name=@file takes a file, name= the preset')
    .option('--proxy-file <file>', 'its first line is the proxy, http://user:password@host:port; empty for none')
    .option('--tls-key-file <file>', 'key of the knob clientCertificate, PEM')

/** `chancela providers …`: the providers of cloud certificates behind a service. */
export function addProviders(program: Command, context: CommandContext, withCommon: WithCommon): void {
  const providers = program.command('providers').description('Look after the cloud certificate providers of a service.')
  const command = (name: string, description: string) =>
    withCommon(providers.command(name).description(description)).argument('<service>')
  command('presets', 'Show what a provider may be made from.').action((service: string, options: CommonOptions) =>
    listPresetsCommand(context, service, options),
  )
  command('list', 'Show the providers; never their secrets.').action((service: string, options: CommonOptions) =>
    listProvidersCommand(context, service, options),
  )
  withFields(command('add', 'Add a provider at the end of the list.'))
    .requiredOption('--preset <preset>', 'what it is made from')
    .option('--disabled', 'leave it out until it is enabled')
    .action((service: string, options: ProviderOptions & { preset: string; disabled?: boolean }) =>
      addProviderCommand(context, service, options),
    )
  withFields(command('update', 'Change a provider; what is not given stays.'))
    .argument('<name>')
    .option('--new-secret', 'ask for another secret')
    .action((service: string, name: string, options: ProviderOptions & { newSecret?: boolean }) =>
      updateProviderCommand(context, service, name, options),
    )
  command('remove', 'Remove a provider that no live session rests on.')
    .argument('<name>')
    .action((service: string, name: string, options: CommonOptions) =>
      removeProviderCommand(context, service, name, options),
    )
  for (const [word, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    command(word, enabled ? 'Take a provider in again.' : 'Leave a provider out of everything new.')
      .argument('<name>')
      .action((service: string, name: string, options: CommonOptions) =>
        switchProviderCommand(context, service, name, { ...options, enabled }),
      )
  command('test', 'Try what can be tried without a holder.')
    .argument('<name>')
    .action((service: string, name: string, options: CommonOptions) =>
      testProviderCommand(context, service, name, options),
    )
  command('register', 'Register this hub at a provider that takes registrations.')
    .argument('<name>')
    .requiredOption('--application <name>', 'what holders read on the pages of the provider')
    .requiredOption('--email <address>', 'whom the provider writes to')
    .option('--comments <text>', 'for the provider')
    .action(
      (
        service: string,
        name: string,
        options: CommonOptions & { application: string; email: string; comments?: string },
      ) => registerProviderCommand(context, service, name, options),
    )
}

/** `chancela redirect-uris …`: the addresses the users of a key may be redirected to. */
export function addRedirectUris(program: Command, context: CommandContext, withCommon: WithCommon): void {
  const uris = program.command('redirect-uris').description('Look after the redirect URIs of the keys of a service.')
  const command = (name: string, description: string) =>
    withCommon(uris.command(name).description(description)).argument('<service>')
  command('list', 'Show the redirect URIs of a key, or of all.')
    .argument('[key]')
    .action((service: string, key: string | undefined, options: CommonOptions) =>
      listRedirectUrisCommand(context, service, key, options),
    )
  for (const [name, description, run] of [
    ['add', 'Register a redirect URI for a key.', addRedirectUriCommand],
    ['remove', 'Take a redirect URI away from a key.', removeRedirectUriCommand],
  ] as const)
    command(name, description)
      .argument('<key>')
      .argument('<uri>')
      .action((service: string, key: string, uri: string, options: CommonOptions) =>
        run(context, service, key, { ...options, uri }),
      )
}
