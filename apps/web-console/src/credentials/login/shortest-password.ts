/** The service's minimum. */
export const SHORTEST_PASSWORD = 12
