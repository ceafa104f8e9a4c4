// The protocol of the providers of ICP-Brasil (DOC-ICP-17.01), behind the hub's adapter interface.
import type { PscKnobs } from '../../contract/provider-knobs.ts'
import type { AdapterContext } from '../adapter-context.ts'
import type { ProviderAdapter } from '../provider.ts'
import { beginAuthorization, redeemCode } from './authorization.ts'
import { listCertificates } from './certificates.ts'
import { testConnection } from './connection-test.ts'
import { discoverHolder } from './discovery.ts'
import { pscContext } from './psc-context.ts'
import { pollPush, startPush } from './push.ts'
import { revokeToken } from './revoke.ts'
import { signHashes } from './sign.ts'

export function openPscAdapter(given: AdapterContext<PscKnobs>): ProviderAdapter {
  const context = pscContext(given)
  return {
    discovers: context.knobs.discovery,
    discover: (identifier, signal) => discoverHolder(context, identifier, signal),
    begin: async (order, state) => beginAuthorization(context, order, state),
    redeem: async (order, secret, code) => ({
      kind: 'granted',
      grant: await redeemCode(context, order, secret, code),
    }),
    ...(context.knobs.push && {
      push: {
        start: (order, secret) => startPush(context, order, secret),
        poll: (pushCode) => pollPush(context, pushCode),
      },
    }),
    listCertificates: (grant, signal) => listCertificates(context, grant, signal),
    sign: async (grant, order, signal) => ({ signatures: await signHashes(context, grant, order, signal) }),
    ...(context.knobs.revocation && { revoke: (grant) => revokeToken(context, grant) }),
    test: (signal) => testConnection(context, signal),
  }
}
