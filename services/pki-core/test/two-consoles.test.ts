// Two operating-system processes behind one public address: a browser is asked by one and answers the other.
import { browserOf, copyOf, newAdministrator } from '@chancela/testkit/console'
import { answerOf, softAuthenticator } from '@chancela/testkit/passkeys'
import { withSections } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { databases } from './test-support/core-world.ts'
import { clock } from './test-support/pki.ts'
import { placeOf, usual } from './test-support/processes.ts'

const PUBLIC = 'https://core.example'

for (const database of databases) {
  describe(`the consoles of two processes on ${database}`, () => {
    test('take the passkeys of one another, and one answer once between them', async () => {
      const place = await placeOf(database)
      const how = { ...usual, settings: withSections(usual.settings, { Console: { PublicUrl: PUBLIC } }) }
      const [one, other] = await Promise.all([place.start(how), place.start(how)])
      const { email } = await newAdministrator({ store: place.store, clock })
      const browser = browserOf(one!)
      /** The same browser, whose call the proxy sends to the other process. */
      const elsewhere = () => copyOf({ consoleUrl: other!.consoleUrl, jar: browser.jar })
      await browser.signIn(email)
      const authenticator = softAuthenticator(PUBLIC)
      const { body: plan } = await browser.call('POST', '/api/session/passkeys/question')
      const passkeyMade = { name: 'Laptop', passkey: authenticator.make(plan) }
      const made = await elsewhere().call('POST', '/api/session/passkeys', passkeyMade)
      expect(made.status).toBe(200)

      const passkey = await answerOf(browser, authenticator)
      const answers = await Promise.all([
        elsewhere().call('POST', '/api/session/passkey', { passkey }),
        copyOf(browser).call('POST', '/api/session/passkey', { passkey }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
      const later = await elsewhere().call('POST', '/api/session/passkey', { passkey })
      expect(later.status).toBe(401)
    })
  })
}
