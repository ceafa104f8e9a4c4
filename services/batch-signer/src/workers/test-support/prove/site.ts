// The process of the site: it lives through every kill of the service.
import { Consumer } from './consumer.ts'
import type { SiteOrder, SiteWord } from './site-plan.ts'
import { write } from './writers.ts'

const say = (word: SiteWord): void => void process.send!(word)

let consumer: Consumer | undefined

const orders = {
  begin: ({ root }: Extract<SiteOrder, { order: 'begin' }>) => {
    consumer?.stop()
    consumer = new Consumer(root, (taken) => say({ word: 'taken', taken }))
    consumer.start((error) => say({ word: 'trouble', text: String(error) }))
  },
  drain: async () => {
    await consumer?.drain()
    say({ word: 'drained' })
  },
  write: async ({ writer }: Extract<SiteOrder, { order: 'write' }>) => {
    await write(writer)
    say({ word: 'written', number: writer.number })
  },
} as const

process.on('message', async (message: SiteOrder) => {
  try {
    await (orders[message.order] as (given: SiteOrder) => unknown)(message)
  } catch (error) {
    say({ word: 'trouble', text: String(error) })
  }
})
// Without a prover the process exits.
process.on('disconnect', () => process.exit())
say({ word: 'loaded' })
