import { once } from 'node:events'
import { createServer } from 'node:net'

/** A free port of the loopback address, for servers whose address must be known before they listen. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('The free port has no number.')
  return address.port
}
