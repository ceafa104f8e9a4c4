import { EventEmitter } from 'node:events'

/**
 * A stream that fails before it is read (a missing file) would end the process as an uncaught exception. This defers
 * the failure to the reader: iterating a failed stream throws its error.
 */
export function failingLater<Source>(source: Source): Source {
  if (source instanceof EventEmitter) source.on('error', () => {})
  return source
}
