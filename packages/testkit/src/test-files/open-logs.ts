// The logs of running services, so that a failed test shows what they said of it: a 500 tells its caller nothing.

/** All that a service has logged so far. */
type ReadLog = () => string

/** Characters of each that were looked at. */
const open = new Map<ReadLog, number>()

/** Most lines of one log that are shown. */
const MOST_LINES = 20

/** From now on until the returned function is called, a failed test shows the errors in this log. */
export function showErrorsOf(log: ReadLog): () => void {
  open.set(log, 0)
  return () => void open.delete(log)
}

/** The errors that were logged since this was last asked, of all services that run. */
export const newErrors = (): readonly string[] =>
  [...open].flatMap(([log, from]) => {
    const text = log()
    open.set(log, text.length)
    return text.slice(from).split('\n').filter(isError).slice(-MOST_LINES)
  })

const isError = (line: string): boolean => /"level":"(?:error|fatal)"/.test(line)
