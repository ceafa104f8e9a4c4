import { finding } from '../../contract/provider-findings.ts'
import { type ConnectionCheck, checked, failed } from '../connection-check.ts'
import { ProviderProblem } from '../provider-problem.ts'
import type { CscServer } from './csc-server.ts'
import { readInfo, type ServerInfo } from './server-info.ts'

/** Methods required for signing. */
const needed = ['credentials/list', 'credentials/info', 'signatures/signHash']

/** Checks what is possible without a holder: the server's info and its content. */
export async function checkConnection(server: CscServer, signal?: AbortSignal): Promise<readonly ConnectionCheck[]> {
  try {
    const info = await readInfo(server, signal)
    return [checked('info', true, [finding('server-answers')]), ...checks.map((check) => check(info, server))]
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error
    return [failed('info', error)]
  }
}

type Check = (info: ServerInfo, server: CscServer) => ConnectionCheck

const checks: readonly Check[] = [
  ({ specs }, { dialect, knobs: { version } }) => {
    const ok = dialect.specs.some((begin) => `${specs}.`.startsWith(begin))
    const isVersion = /^[\d.]{1,20}$/.test(specs)
    const told = isVersion
      ? finding('speaks-version', { told: specs, version })
      : finding('speaks-something-else', { version })
    return checked('version', ok, [told])
  },
  ({ oauthBase }) => {
    const ok = oauthBase !== undefined
    return checked('oauth2', ok, [finding(ok ? 'authorization-server-known' : 'authorization-server-unknown')])
  },
  ({ methods }) => {
    const missing = needed.filter((method) => !methods.includes(method))
    const ok = missing.length === 0
    const told = ok ? finding('methods-there') : finding('methods-missing', { methods: missing.join(', ') })
    return checked('methods', ok, [told])
  },
]
