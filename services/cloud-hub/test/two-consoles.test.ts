// Two services on one database behind one public address: a browser is asked by one and answers the other.
import { browserOf, copyOf, newAdministrator } from '@chancela/testkit/console'
import { answerOf, softAuthenticator } from '@chancela/testkit/passkeys'
import { describe, expect, test } from 'vitest'
import { databases, startHub } from './test-support/hub-world.ts'

const PUBLIC = 'https://hub.example'
const settings = { Console: { PublicUrl: PUBLIC } }

for (const database of databases) {
  describe(`the consoles of two services on ${database}`, () => {
    test('take the passkeys of one another, and one answer once between them', async () => {
      const one = await startHub(database, { settings })
      const other = await startHub(database, { settings, after: one })
      const { email } = await newAdministrator(one)
      const browser = browserOf(one)
      /** The same browser, whose call the proxy sends to the other service. */
      const elsewhere = () => copyOf({ consoleUrl: other.consoleUrl, jar: browser.jar })
      await browser.signIn(email)
      const authenticator = softAuthenticator(PUBLIC)
      const { body: plan } = await browser.call('POST', '/api/session/passkeys/question')
      const passkeyMade = { name: 'Laptop', passkey: authenticator.make(plan) }
      expect((await elsewhere().call('POST', '/api/session/passkeys', passkeyMade)).status).toBe(200)

      const passkey = await answerOf(browser, authenticator)
      const answers = await Promise.all([
        elsewhere().call('POST', '/api/session/passkey', { passkey }),
        copyOf(browser).call('POST', '/api/session/passkey', { passkey }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
      expect((await elsewhere().call('POST', '/api/session/passkey', { passkey })).status).toBe(401)
    })
  })
}
