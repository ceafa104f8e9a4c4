// A provider that speaks the API of the Cloud Signature Consortium (cloud-hub facts 2).
import type { CscKnobs } from '../../contract/provider-knobs.ts'
import type { AdapterContext } from '../adapter-context.ts'
import type { AuthorizationOrder, Grant, ProviderAdapter, Redeemed } from '../provider.ts'
import { ProviderProblem } from '../provider-problem.ts'
import { authorizeImplicitly } from './activation.ts'
import { type CscStep, credentialOrder, credentialStep, exchangeCode, serviceStep } from './authorization.ts'
import { checkConnection } from './check-connection.ts'
import { type Credential, chooseCredential, listCredentials, readCredential } from './credentials.ts'
import { dataOf, identityGrant, type Lived, newActivation, signingGrant } from './csc-grant.ts'
import { type CscServer, callAuthorizationServer, cscServer } from './csc-server.ts'
import { ServerInfos } from './server-info.ts'
import { signUnder } from './signing.ts'

export function openCscAdapter(context: AdapterContext<CscKnobs>): ProviderAdapter {
  const server = cscServer(context)
  const infos = new ServerInfos(server)
  return {
    // CSC identifies users by their login only.
    discovers: false,
    discover: async () => false,
    begin: (order, state) => serviceStep(server, infos, order, state),
    redeem: (order, secret, code, state) => redeem(server, infos, order, secret as CscStep, code, state),
    listCertificates: async (grant, signal) => {
      const { service, activation } = dataOf(grant)
      if (!activation) return listCredentials(server, service.token, signal)
      return [await readCredential(server, service.token, activation.credentialId, signal)]
    },
    sign: (grant, order, signal) => signUnder(server, grant, order, signal),
    revoke: (grant) => revoke(server, infos, grant),
    test: (signal) => checkConnection(server, signal),
  }
}

async function redeem(
  server: CscServer,
  infos: ServerInfos,
  order: AuthorizationOrder,
  step: CscStep,
  code: string,
  state: string,
): Promise<Redeemed> {
  const token = await exchangeCode(server, infos, order, step, code)
  if (step.step === 'service') return afterService(server, infos, order, token, state)
  const isBearer = server.dialect.credentialToken === 'bearer'
  const activation = newActivation(step.credential, { token: token.token, isBearer }, step)
  return { kind: 'granted', grant: signingGrant(server, callsOf(order), step.service, token, activation) }
}

const callsOf = ({ type }: AuthorizationOrder): 'one' | 'many' => (type === 'SignatureSession' ? 'many' : 'one')

/** The holder is known, enough for an authentication session; a signature needs the credential's own authorization. */
async function afterService(
  server: CscServer,
  infos: ServerInfos,
  order: AuthorizationOrder,
  service: Lived,
  state: string,
): Promise<Redeemed> {
  if (order.type === 'AuthenticationSession') return { kind: 'granted', grant: identityGrant(service) }
  const credentials = await listCredentials(server, service.token)
  const credential = chooseCredential(credentials, order.identifier, server.clock())
  return authorizationOf(credential)(server, infos, order, { service, credential, state })
}

interface Chosen {
  readonly service: Lived
  readonly credential: Credential
  readonly state: string
}

type Authorize = (server: CscServer, infos: ServerInfos, order: AuthorizationOrder, chosen: Chosen) => Promise<Redeemed>

/** The authorization for each mode of a credential. */
const authorizations: Readonly<Record<string, Authorize>> = {
  oauth2code: async (server, infos, order, { service, credential, state }) => {
    const asked = { ...credentialOrder(order, credential), service, credential }
    return { kind: 'next', step: await credentialStep(server, infos, order, state, asked) }
  },
  implicit: async (server, _infos, order, { service, credential }) => {
    const asked = credentialOrder(order, credential)
    const { activation, until } = await authorizeImplicitly(server, service, credential, asked)
    return { kind: 'granted', grant: signingGrant(server, callsOf(order), service, { until }, activation) }
  },
  // Applications must not collect the holder's factors (DOC-ICP-17.01), and no operation of the hub could.
  explicit: async () => {
    throw new ProviderProblem('refused', {
      found: 'asks-for-pin',
    })
  },
}

function authorizationOf({ mode = '' }: Credential): Authorize {
  if (Object.hasOwn(authorizations, mode)) return authorizations[mode]!
  throw new ProviderProblem('garbage', { found: 'mode-unknown' })
}

/** Revokes both tokens; the second also when revoking the first fails. */
async function revoke(server: CscServer, infos: ServerInfos, grant: Grant): Promise<void> {
  const { service, activation } = dataOf(grant)
  const url = await infos.oauth('revoke')
  const tokens = [...(activation ? [activation.token] : []), service.token]
  const revoked = await Promise.allSettled(
    tokens.map((token) => callAuthorizationServer(server, url, { token }, { shown: 'client', reads: 'anything' })),
  )
  for (const each of revoked) if (each.status === 'rejected') throw each.reason
}
