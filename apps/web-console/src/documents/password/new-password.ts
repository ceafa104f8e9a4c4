/** The service's minimum. */
export const SHORTEST_PASSWORD = 10

/** The field of a new password that is wrong; undefined when it can be sent. */
export function passwordFault(password: string, again: string): 'password' | 'again' | undefined {
  if (password.length < SHORTEST_PASSWORD) return 'password'
  return password === again ? undefined : 'again'
}
