const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Resolves at the first request to stop; a second one exits at once, without waiting for the drain. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of SIGNALS) {
        process.off(signal, stop)
        process.once(signal, () => process.exit(130))
      }
      resolve()
    }
    for (const signal of SIGNALS) process.once(signal, stop)
  })
}
