import { call } from '../../shared/api/request.ts'
import type { ComputerReport } from '../../shared/signing/computer-report.ts'
import type { TokenRequests } from '../../shared/signing/offers.ts'
import type { BegunTokenSigning, ComputerTest } from './types.ts'

/** Tests of a computer, which the page holds itself: nothing is stored for them. */
export const computerTests: TokenRequests<ComputerReport> = {
  begin: () => call<BegunTokenSigning>('POST', '/api/computer-tests'),
  look: async (id) => {
    const { state, outcome, ...report } = await call<ComputerTest>('POST', '/api/computer-tests/look', {
      body: { id },
      timeoutSeconds: 120,
    })
    return { state, outcome: outcome === null ? null : { outcome, ...report } }
  },
  // It expires by itself, and signs nothing that matters.
  cancel: async () => {},
}
