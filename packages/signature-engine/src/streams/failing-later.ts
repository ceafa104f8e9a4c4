import { EventEmitter } from 'node:events'

/**
 * A stream that fails before anybody reads it (a file that is not there) would end the process as an uncaught
 * exception. With this the failure waits for whoever reads it: iterating a failed stream throws its error.
 */
export function failingLater<Source>(source: Source): Source {
  if (source instanceof EventEmitter) source.on('error', () => {})
  return source
}
