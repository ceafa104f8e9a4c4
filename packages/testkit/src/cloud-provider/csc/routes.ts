import { type Answer, json, type Question, type Route } from '../http.ts'
import type { Operation } from '../operations.ts'
import type { Context } from '../provider-context.ts'
import { Codes } from './codes.ts'
import { authorizeCredential, extendTransaction, listCredentials, readCredential } from './credentials.ts'
import type { CscContext, CscOperation } from './csc-context.ts'
import { info } from './info.ts'
import { authorize, revoke, token } from './oauth.ts'
import { CscRefusal } from './refusals.ts'
import { signHashes } from './signing.ts'
import { Tokens } from './tokens.ts'
import { type CscVersionName, cscVersions } from './versions.ts'

/** Every method of the API by its path under the version's address. */
const methods: Readonly<Record<string, { readonly operation: Operation; readonly answer: CscOperation }>> = {
  info: { operation: 'info', answer: info },
  'oauth2/token': { operation: 'token', answer: token },
  'credentials/list': { operation: 'credentials-list', answer: listCredentials },
  'credentials/info': { operation: 'certificates', answer: readCredential },
  'credentials/authorize': { operation: 'credentials-authorize', answer: authorizeCredential },
  'credentials/extendTransaction': { operation: 'credentials-extend', answer: extendTransaction },
  'signatures/signHash': { operation: 'signature', answer: signHashes },
}

/** The CSC API in all its versions, side by side. */
export function cscRoutes(provider: Context): readonly Route[] {
  const shared = { codes: new Codes(provider.clock), tokens: new Tokens(provider.clock) }
  return (Object.keys(cscVersions) as CscVersionName[]).flatMap((versionName) => {
    const version = cscVersions[versionName]
    const context: CscContext = {
      ...shared,
      provider,
      versionName,
      version,
      base: `${provider.baseUrl}${version.path}`,
      quirks: provider.quirks.csc,
    }
    return routesOf(context)
  })
}

function routesOf(context: CscContext): readonly Route[] {
  const at = (name: string) => new RegExp(`^${context.version.path.replaceAll('.', '\\.')}/${name}$`)
  return [
    {
      method: 'GET',
      path: at('oauth2/authorize'),
      operation: 'authorize',
      answer: (asked) => authorize(context, asked),
    },
    {
      method: 'POST',
      path: at('oauth2/revoke'),
      operation: 'revoke',
      answer: (asked) => orRefusal(context, () => revoke(context, asked)),
    },
    ...Object.entries(methods).map(
      ([name, { operation, answer }]): Route => ({
        method: 'POST',
        path: at(name),
        operation,
        answer: (asked: Question) =>
          orRefusal(context, async () => {
            if (context.quirks.missingMethods.includes(name))
              throw new CscRefusal('The requested method is not implemented.')
            return json(200, await answer(context, asked))
          }),
      }),
    ),
  ]
}

async function orRefusal({ quirks }: CscContext, answer: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof CscRefusal) return error.answer(quirks)
    throw error
  }
}
