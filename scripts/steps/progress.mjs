// Progress of work that a user waits for: one line in place on a terminal, a line now and then in a log.
import { clearLine, say, stamped } from './say.mjs'

const screen = process.stderr
/** Shorter work is not reported: nobody waited for it. */
const WORTH_TELLING_MS = 1000
/** On a terminal the seconds are updated; in a log more lines would hide what matters. */
const everyMs = screen.isTTY ? 1000 : 5000

/** Work under way and how far each is. @type {Map<string, string>} */
const underWay = new Map()
/** @type {NodeJS.Timeout | undefined} */
let nextSign

/** @typedef {(done: number, of: number, things: string) => void} Reached */

/**
 * Tells what is being done while it is done, how far it is, and that it is done.
 * @template T
 * @param {string} what
 * @param {(reached: Reached) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(what, work) {
  const begun = Date.now()
  begin(what)
  try {
    const result = await work((done, of, things) => reach(what, `: ${done} of ${of} ${things}`))
    if (Date.now() - begun >= WORTH_TELLING_MS) say(`${what}${underWay.get(what)}, done`)
    return result
  } finally {
    leave(what)
  }
}

/** @param {string} what */
function begin(what) {
  underWay.set(what, '')
  nextSign ??= setTimeout(show, WORTH_TELLING_MS)
}

/** @param {string} what @param {string} text */
function reach(what, text) {
  underWay.set(what, text)
  if (screen.isTTY) draw()
}

/** @param {string} what */
function leave(what) {
  underWay.delete(what)
  screen.write(clearLine)
  if (underWay.size > 0) return
  clearTimeout(nextSign)
  nextSign = undefined
}

function show() {
  if (screen.isTTY) draw()
  else say(`${textOfAll()} …`)
  nextSign = setTimeout(show, everyMs)
}

const draw = () => screen.write(`${clearLine}${stamped(`${textOfAll()} …`).slice(0, screen.columns - 1)}`)

const textOfAll = () => [...underWay].map(([what, reached]) => `${what}${reached}`).join('; ')
