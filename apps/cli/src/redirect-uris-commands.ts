import type { CommandContext, CommonOptions } from './command-context.ts'
import { withOperator } from './operators.ts'
import { textTable } from './text-table.ts'

const what = 'redirectUris'

/** `chancela redirect-uris list <service> [key]` */
export const listRedirectUrisCommand = (
  context: CommandContext,
  service: string,
  key: string | undefined,
  options: CommonOptions,
) =>
  withOperator(context, { service, what }, options, async (uris) => {
    const rows = (await uris.list(key)).map(({ keyId, uri, createdAt }) => [keyId, uri, createdAt])
    context.print(textTable(['key', 'redirect URI', 'added'], rows))
  })

/** `chancela redirect-uris add <service> <key> <uri>` */
export const addRedirectUriCommand = (
  context: CommandContext,
  service: string,
  key: string,
  options: CommonOptions & { readonly uri: string },
) =>
  withOperator(context, { service, what }, options, async (uris) => {
    const { uri } = await uris.add(key, options.uri)
    context.print(`Users of the key ${key} may be sent back to ${uri}`)
  })

/** `chancela redirect-uris remove <service> <key> <uri>` */
export const removeRedirectUriCommand = (
  context: CommandContext,
  service: string,
  key: string,
  options: CommonOptions & { readonly uri: string },
) =>
  withOperator(context, { service, what }, options, async (uris) => {
    await uris.remove(key, options.uri)
    context.print(`Users of the key ${key} are sent back to ${options.uri} no more.`)
  })
