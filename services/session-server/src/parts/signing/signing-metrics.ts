import type { SessionMetrics, signatureOutcomes, signingStages } from '../../metrics.ts'

type Stage = (typeof signingStages)[number]

/** Counts and times what signing does. */
export interface SigningMetrics {
  timed<T>(stage: Stage, work: () => Promise<T>): Promise<T>
  ended(outcome: (typeof signatureOutcomes)[number]): void
}

export const signingMetrics = ({
  session_signing_seconds,
  session_signatures_total,
}: SessionMetrics): SigningMetrics => ({
  async timed(stage, work) {
    const begun = performance.now()
    try {
      return await work()
    } finally {
      session_signing_seconds.observe({ stage }, (performance.now() - begun) / 1000)
    }
  },
  ended: (outcome) => session_signatures_total.inc({ outcome }),
})
