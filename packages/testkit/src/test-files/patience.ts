/**
 * How long a test waits for what must come: never so short that a busy machine is taken for a defect, and less than the
 * time of a test, so that a failure names the step.
 */
export const PATIENCE_MS = 120_000
