// OpenSSL keeps its errors in a queue, one for each thread. On Linux a module that is linked to OpenSSL uses the one
// inside Node, and its queue with it. Node takes what the module leaves there for its own: the next private key fails
// to open although it is good (createPrivateKey throws what it finds), and an open TLS connection breaks. SoftHSM2
// leaves errors on every C_Initialize where the processor has no RDRAND (every arm64), and on any machine when a key on
// the token is damaged.
import { randomFillSync } from 'node:crypto'

const oneByte = Buffer.alloc(1)

/** Node has no call for it, but clears the queue after every random byte drawn: 4 µs on an empty one, 16 on a full. */
const emptyErrorQueue = (): void => void randomFillSync(oneByte)

/**
 * A module after whose every call the queue of this thread is empty.
 *
 * Signatures run on libuv's threads and fill the queues there. Nobody has to empty those: TLS and the reading of private
 * keys stay on the thread that runs JavaScript, and Node's jobs on the pool go by what OpenSSL returns, not by the queue
 * (a job that fails for a reason of its own lists errors of others behind it, nothing more).
 */
export const leavingNoErrors = <Module extends object>(module: Module): Module =>
  new Proxy(module, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? emptying(target, member as Call) : member
    },
  })

type Call = (...args: unknown[]) => unknown

const emptying =
  (module: object, call: Call): Call =>
  (...args) => {
    try {
      return Reflect.apply(call, module, args)
    } finally {
      emptyErrorQueue()
    }
  }
