import { describe, expect, test } from 'vitest'
import { normalizedRedirectUri, returnAddress } from './redirect-uris.ts'

describe('what may be registered', () => {
  test.each([
    ['https://app.example/return', 'https://app.example/return'],
    ['  https://app.example/return ', 'https://app.example/return'],
    ['HTTPS://App.Example:443/Return', 'https://app.example/Return'],
    ['https://app.example', 'https://app.example/'],
    ['https://app.example/return?tenant=7', 'https://app.example/return?tenant=7'],
    ['https://açaí.example/volta', 'https://xn--aa-4iaz.example/volta'],
    ['http://localhost:3000/return', 'http://localhost:3000/return'],
    ['http://127.0.0.1/return', 'http://127.0.0.1/return'],
    ['http://127.1:8080/return', 'http://127.0.0.1:8080/return'],
    ['http://[::1]:8080/return', 'http://[::1]:8080/return'],
  ])('%s, as %s', (text, uri) => {
    expect(normalizedRedirectUri(text)).toBe(uri)
  })

  test.each([
    ['http without loopback', 'http://app.example/return'],
    ['a host that only begins like loopback', 'http://127.0.0.1.app.example/return'],
    ['a host that only ends like loopback', 'http://notlocalhost/return'],
    ['a scheme of its own', 'myapp://return'],
    ['a script', 'javascript:alert(1)'],
    ['no scheme', '//app.example/return'],
    ['a path', '/return'],
    ['userinfo', 'https://app.example@evil.example/return'],
    ['empty userinfo', 'https://@evil.example/return'],
    ['a fragment', 'https://app.example/return#there'],
    ['an empty fragment', 'https://app.example/return#'],
    ['a backslash', 'https://app.example\\@evil.example/return'],
    ['a blank', 'https://app.example/re turn'],
    ['a line end', 'https://app.example/re\nturn'],
    ['too few slashes', 'https:/app.example/return'],
    ['too many slashes', 'https:///app.example/return'],
    ['nothing', ''],
  ])('not %s', (_what, text) => {
    expect(normalizedRedirectUri(text)).toBeUndefined()
  })
})

describe('what the hub appends', () => {
  const session = 'fresh'

  test.each([
    ['https://app.example/return', 'https://app.example/return?session=fresh'],
    ['https://app.example/return?', 'https://app.example/return?session=fresh'],
    ['https://app.example/return?file=a%20b+c&x', 'https://app.example/return?file=a%20b+c&x&session=fresh'],
    ['https://app.example/return?session=planted&file=1', 'https://app.example/return?file=1&session=fresh'],
    ['https://app.example/return?SESSION=1&%73ession=2&+session=3', 'https://app.example/return?session=fresh'],
    ['https://app.example/return?error=access_denied', 'https://app.example/return?session=fresh'],
    [
      'https://app.example/return?sessions=2&myerror=1',
      'https://app.example/return?sessions=2&myerror=1&session=fresh',
    ],
  ])('to %s: %s', (redirectUri, address) => {
    expect(returnAddress(redirectUri, { session })).toBe(address)
  })

  test('an error after the session', () => {
    const address = returnAddress('https://app.example/return?error=none', { session, error: 'provider_error' })
    expect(address).toBe('https://app.example/return?session=fresh&error=provider_error')
  })
})
