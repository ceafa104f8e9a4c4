// Output of the scripts. Progress goes to standard error, so that standard output is free for results.

const started = Date.now()
const seconds = () => ((Date.now() - started) / 1000).toFixed(1).padStart(6)

/** @param {string} text */
export const stamped = (text) => `[${seconds()} s] ${text}`

/** On a terminal, a message replaces the progress line. */
export const clearLine = process.stderr.isTTY ? '\r\x1b[2K' : ''

/** @param {string} text */
export const say = (text) => process.stderr.write(`${clearLine}${stamped(text)}\n`)

/** A problem the user can fix; printed without a stack. */
export class Hindrance extends Error {}

/** @type {ReadonlyArray<readonly [RegExp, string]>} */
const knownCauses = [
  [/ENOSPC|No space left/, 'The disk is full: free some space where the project lies and run the command again.'],
  [/EACCES|EPERM|EROFS|Permission denied/, 'A file of the project may not be written: make its folder belong to you.'],
  [/ENOTFOUND|ETIMEDOUT|ECONNREFUSED|EAI_AGAIN/, 'The package registry cannot be reached: check the network or proxy.'],
]

/** The sentence for a failure that a user can fix, recognised by its text.
 * @param {string} text */
export const knownCause = (text) => knownCauses.find(([pattern]) => pattern.test(text))?.[1]

/** A failing file operation of the scripts themselves; other failures are bugs and keep their stack.
 * @param {unknown} error */
const fileCause = (error) =>
  error instanceof Error && 'path' in error && 'code' in error ? knownCause(String(error.code)) : undefined

/** Runs a script's main function and turns a hindrance into one sentence and exit code 1.
 * @param {() => Promise<number | undefined>} main */
export async function runScript(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    const sentence = error instanceof Hindrance ? error.message : fileCause(error)
    if (sentence === undefined) throw error
    process.stderr.write(`\n${sentence}\n`)
    process.exitCode = 1
  }
}
