/**
 * How long a test waits for something expected: long enough for a busy machine, and less than a test's timeout, so that
 * a failure names the step.
 */
export const PATIENCE_MS = 120_000
