/** `ana@example.com` as the public sees it: `a**@example.com`. */
export const partlyHidden = (email: string): string => {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}${'*'.repeat(Math.max(2, at - 1))}${email.slice(at)}`
}
