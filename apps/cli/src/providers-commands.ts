import type { WrittenProvider } from '@chancela/cloud-hub/operator'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { CommandContext, CommonOptions } from './command-context.ts'
import { withOperator } from './operators.ts'
import { readInput } from './signatures/files.ts'
import { passwordOf } from './signatures/secrets.ts'
import { textTable } from './text-table.ts'

const what = 'providers'

/** A provider as the options describe it. No option takes the secret: other users can read the process list. */
export interface ProviderOptions extends CommonOptions {
  readonly name?: string
  readonly company?: string
  readonly endpoint?: string
  readonly badge?: string
  readonly clientId?: string
  readonly secretFile?: string
  readonly knob?: readonly string[]
  readonly proxyFile?: string
  readonly tlsKeyFile?: string
}

/** `chancela providers presets <service>` */
export const listPresetsCommand = (context: CommandContext, service: string, options: CommonOptions) =>
  withOperator(context, { service, what }, options, async (providers) => {
    const rows = providers
      .presets()
      .map(({ name, title, protocol, endpoint, testEndpoint }) => [
        name,
        title,
        protocol,
        endpoint || 'your own',
        testEndpoint ?? '',
      ])
    context.print(textTable(['preset', 'title', 'protocol', 'endpoint', 'for trials'], rows))
  })

/** `chancela providers list <service>` */
export const listProvidersCommand = (context: CommandContext, service: string, options: CommonOptions) =>
  withOperator(context, { service, what }, options, async (providers) => {
    const rows = (await providers.list()).map((one) => [
      one.serviceName,
      one.provider,
      one.protocol,
      one.endpoint,
      one.clientId || 'not registered',
      one.enabled ? 'enabled' : 'disabled',
      one.callbackUri,
    ])
    context.print(textTable(['name', 'company', 'protocol', 'endpoint', 'client id', 'state', 'callback'], rows))
  })

/** `chancela providers add <service> --preset NAME`: without a client id the provider stays unregistered. */
export const addProviderCommand = (
  context: CommandContext,
  service: string,
  options: ProviderOptions & { readonly preset: string; readonly disabled?: boolean },
) =>
  withOperator(context, { service, what }, options, async (providers) => {
    const secret = options.clientId === undefined ? {} : { clientSecret: await secretOf(context, options) }
    const written = { ...(await writtenProvider(options)), ...secret }
    const added = await providers.add(options.preset, written, options.disabled !== true)
    context.print(
      `${added.serviceName} is a provider of ${service}. Register this callback there: ${added.callbackUri}`,
    )
  })

/** `chancela providers update <service> <name>` */
export const updateProviderCommand = (
  context: CommandContext,
  service: string,
  name: string,
  options: ProviderOptions & { readonly newSecret?: boolean },
) =>
  withOperator(context, { service, what }, options, async (providers) => {
    const asked = options.newSecret === true || options.secretFile !== undefined
    const secret = asked ? { clientSecret: await secretOf(context, options) } : {}
    const { serviceName } = await providers.update(name, { ...(await writtenProvider(options)), ...secret })
    context.print(`${serviceName} is changed.`)
  })

/** `chancela providers remove <service> <name>` */
export const removeProviderCommand = (context: CommandContext, service: string, name: string, options: CommonOptions) =>
  withOperator(context, { service, what }, options, async (providers) => {
    await providers.remove(name)
    context.print(`${name} is no provider of ${service} any more.`)
  })

/** `chancela providers enable|disable <service> <name>` */
export const switchProviderCommand = (
  context: CommandContext,
  service: string,
  name: string,
  options: CommonOptions & { readonly enabled: boolean },
) =>
  withOperator(context, { service, what }, options, async (providers) => {
    const { serviceName, enabled } = await providers.setEnabled(name, options.enabled)
    context.print(`${serviceName} is ${enabled ? 'enabled' : 'disabled: sessions it granted go on'}.`)
  })

/** `chancela providers test <service> <name>`: fails when any step that was tried failed. */
export const testProviderCommand = (context: CommandContext, service: string, name: string, options: CommonOptions) =>
  withOperator(context, { service, what }, options, async (providers) => {
    const checks = await providers.test(name)
    context.print(checks.map(({ name: tried, ok, text }) => `${ok ? 'ok  ' : 'FAIL'} ${tried}: ${text}`).join('\n'))
    if (checks.some(({ ok }) => !ok)) throw new StartupProblem(`${name} is not well.`)
  })

/** `chancela providers register <service> <name> --application NAME --email ADDRESS` */
export const registerProviderCommand = (
  context: CommandContext,
  service: string,
  name: string,
  options: CommonOptions & { readonly application: string; readonly email: string; readonly comments?: string },
) =>
  withOperator(context, { service, what }, options, async (providers) => {
    const { application, email, comments } = options
    const form = { name: application, email, ...(comments !== undefined && { comments }) }
    const { serviceName, clientId } = await providers.register(name, form)
    context.print(`${serviceName} knows this hub as ${clientId}; its secret is sealed in the database.`)
  })

/** Only the fields whose options were given. */
async function writtenProvider(options: ProviderOptions): Promise<WrittenProvider> {
  const { name, company, endpoint, badge, clientId, knob = [], proxyFile, tlsKeyFile } = options
  return {
    ...(name !== undefined && { serviceName: name }),
    ...(company !== undefined && { provider: company }),
    ...(endpoint !== undefined && { endpoint }),
    ...(badge !== undefined && { badgeUrl: badge === '' ? null : badge }),
    ...(clientId !== undefined && { clientId }),
    ...(proxyFile !== undefined && { proxy: (await readInput(proxyFile)).toString('utf8').split(/\r?\n/)[0]! }),
    ...(tlsKeyFile !== undefined && { tlsKey: (await readInput(tlsKeyFile)).toString('utf8') }),
    knobs: await Promise.all(knob.map(fromFile)),
  }
}

/** `caBundle=@file.pem` reads the value from the file. */
async function fromFile(knob: string): Promise<string> {
  const [name, path] = knob.split(/=@(.*)/s)
  return path === undefined ? knob : `${name}=${(await readInput(path)).toString('utf8')}`
}

const secretOf = (context: CommandContext, { clientId, secretFile }: ProviderOptions): Promise<string> =>
  passwordOf(
    context,
    { ...(secretFile !== undefined && { passwordFile: secretFile }) },
    clientId ?? 'this hub at the provider',
  )
