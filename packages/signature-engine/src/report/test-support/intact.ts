import { type IntegrityReport, passed } from '../check.ts'
import type { Finding } from '../report.ts'

/** Of a signature that is what it should be, trust apart. */
export const INTACT: IntegrityReport = { content: passed, signature: passed, certificateBinding: passed }

/** What is said of a policy of ICP-Brasil under the demo's root, which no policy names. */
export const underDemoRoot = (level: string): Finding[] =>
  level.startsWith('AD-')
    ? [
        {
          code: 'policy-requirement-unmet',
          severity: 'warning',
          details: { requirement: 'trust anchor', policy: level },
        },
      ]
    : []
