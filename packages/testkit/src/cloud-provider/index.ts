// A provider of cloud certificates for tests and the demo: real HTTP, login and consent pages, keys of the demo PKI.
//
//   const provider = await startCloudProvider({ pki, clock })
//   provider.register({ clientId, clientSecret, redirectUris: [callback] })
//   provider.quirks.hashEncoding = 'hex'
//   provider.fail('signature', 'drop-after-signing')
//   const back = await provider.walk(authUrl, { holder: 'ana-souza', decision: 'approve' })
//   provider.confirmPush('ana-souza', 'approve')
//
// It speaks several protocols over the same holders, applications, pages, quirks and faults. How a protocol mounts: it
// is a function from `Ground` to routes (see psc/index.ts), listed in create-cloud-provider.ts. A route has a method, a
// path, an `operation` (under which calls are counted and faults ordered) and an `answer`. The authorize operation ends
// in `askHolder(context, consent, question)`: the shared pages log the holder in, show what `consent` permits, let a
// certificate be chosen, and send the browser to the address `consent.finish` returns. A protocol with two redirects
// calls `askHolder` twice, the second time with `reuseLogin`. Signatures come from `signHash`, which knows the flaws;
// certificates and applications from `context.accounts` and `context.clients`. Answers are made with `json`, `text`,
// `redirect`; a protocol's own refusals, codes and tokens are its own.
export type { Account, Credential } from './accounts.ts'
export type { Client } from './clients.ts'
export { type CloudProvider, type CloudProviderOptions, createCloudProvider } from './create-cloud-provider.ts'
export type { Fault } from './faults.ts'
export type { CloudProviderHandler } from './http-handler.ts'
export type { Operation } from './operations.ts'
export type { Call } from './provider-context.ts'
export type { ErrorShape, QuirkChanges, Quirks } from './quirks.ts'
export {
  type RunningCloudProvider,
  type StartCloudProviderOptions,
  startCloudProvider,
} from './start-cloud-provider.ts'
export type { Walk } from './walk.ts'
