// What the scripts print. Progress goes to standard error, so that standard output stays for results.

const started = Date.now()
const seconds = () => ((Date.now() - started) / 1000).toFixed(1).padStart(6)

export const say = (/** @type {string} */ text) => process.stderr.write(`[${seconds()} s] ${text}\n`)

/**
 * A problem the person at the keyboard can mend; printed without a stack.
 */
export class Hindrance extends Error {}

/** Runs a script's main function and turns a hindrance into one sentence and exit code 1.
 * @param {() => Promise<number | undefined>} main */
export async function runScript(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    if (!(error instanceof Hindrance)) throw error
    process.stderr.write(`\n${error.message}\n`)
    process.exitCode = 1
  }
}
