import { describe, expect, test } from 'vitest'
import { addressPolicy } from './address-policy.ts'

describe('where webhooks are sent', () => {
  const policy = addressPolicy()

  test.each([
    'https://receiver.example.com/hook',
    'https://receiver.example.com:8443/hook',
    'https://8.8.8.8/hook',
    'https://[2606:4700::1111]/hook',
    'https://[::ffff:8.8.8.8]/hook',
    'https://168.63.129.17/hook',
  ])('%s is taken', (url) => {
    expect(policy.refusesUrl(url)).toBeUndefined()
  })

  test.each([
    ['ftp://receiver.example.com/', /not an absolute http/],
    ['receiver.example.com/hook', /not an absolute http/],
    ['http://receiver.example.com/', /Only https/],
    ['https://user:pass@receiver.example.com/', /credentials/],
    ['https://receiver.example.com:22/', /Port 22/],
    ['https://127.0.0.1/', /not a public address/],
    ['https://127.1/', /not a public address/],
    ['https://2130706433/', /not a public address/],
    ['https://0x7f.0.0.1/', /not a public address/],
    ['https://0177.0.0.1/', /not a public address/],
    ['https://10.0.0.1/', /not a public address/],
    ['https://172.31.255.255/', /not a public address/],
    ['https://192.168.1.1/', /not a public address/],
    ['https://169.254.169.254/latest/meta-data', /not a public address/],
    ['https://100.64.0.1/', /not a public address/],
    ['https://0.0.0.0/', /not a public address/],
    ['https://224.0.0.1/', /not a public address/],
    ['https://255.255.255.255/', /not a public address/],
    ['https://[::1]/', /not a public address/],
    ['https://[::]/', /not a public address/],
    ['https://[::ffff:127.0.0.1]/', /not a public address/],
    ['https://[::ffff:a00:1]/', /not a public address/],
    ['https://[fe80::1]/', /not a public address/],
    ['https://[fd00::1]/', /not a public address/],
    ['https://[64:ff9b::7f00:1]/', /not a public address/],
    ['https://[64:ff9b::808:808]/', /not a public address/],
    ['https://[2002:7f00:1::]/', /not a public address/],
    ['https://[::127.0.0.1]/', /not a public address/],
    ['https://[::a00:1]/', /not a public address/],
    ['https://[::8.8.8.8]/', /not a public address/],
    ['https://[::ffff:0:127.0.0.1]/', /not a public address/],
    ['https://[::ffff:0:8.8.8.8]/', /not a public address/],
    ['https://[::ffff:169.254.169.254]/', /not a public address/],
    ['https://[::ffff:a83f:8110]/', /not a public address/],
    ['https://168.63.129.16/machine?comp=goalstate', /not a public address/],
    ['https://100.100.100.200/latest/meta-data', /not a public address/],
    ['https://192.0.0.192/opc/v2', /not a public address/],
    ['https://[fd00:ec2::254]/latest/meta-data', /not a public address/],
    ['https://[fd20:ce::254]/', /not a public address/],
    ['https://[2001:db8::1]/', /not a public address/],
    ['https://[ff02::1]/', /not a public address/],
  ])('%s is refused', (url, reason) => {
    expect(policy.refusesUrl(url)).toMatch(reason)
  })

  test.each([
    ...[1, 22, 25, 110, 143, 389, 587, 993, 1023],
    ...[1719, 2049, 4190, 5060, 6000, 6666, 10_080],
    ...[1433, 1521, 3306, 5432, 5984, 9042, 27_017, 6379, 11_211, 9200, 9300],
    ...[5672, 9092, 2181, 2379, 8500, 2375, 2376, 6443, 10_250, 8200, 3389, 5900],
  ])('port %d of another service is refused, in every form of the address', (port) => {
    for (const host of ['receiver.example.com', 'receiver.example.com.', '8.8.8.8', '134744072', '[2606:4700::1111]'])
      expect(policy.refusesUrl(`https://${host}:${port}/hook`)).toBe(`Port ${port} is not taken here.`)
    expect(addressPolicy({ allowHttp: true }).refusesUrl(`http://receiver.example.com:${port}/`)).toMatch(/^Port/)
  })

  test.each([80, 443, 1024, 3000, 5000, 8000, 8080, 8081, 8443, 9000, 9443, 49_152, 65_535])(
    'port %d is taken',
    (port) => {
      expect(policy.refusesUrl(`https://receiver.example.com:${port}/hook`)).toBeUndefined()
    },
  )

  test('a port that the operator allows is taken, and no other, nor an address that is not public', () => {
    const allowing = addressPolicy({ allowedPorts: [8200, 25] })
    expect(allowing.refusesUrl('https://receiver.example.com:8200/hook')).toBeUndefined()
    expect(allowing.refusesUrl('https://receiver.example.com:25/hook')).toBeUndefined()
    expect(allowing.refusesUrl('https://receiver.example.com:6379/hook')).toMatch(/^Port/)
    expect(allowing.refusesUrl('https://10.0.0.1:8200/hook')).toMatch(/not a public address/)
    expect(allowing.refusesUrl('http://receiver.example.com:8200/hook')).toMatch(/Only https/)
    const trusting = addressPolicy({ allowed: ['redis.example'] })
    expect(trusting.refusesUrl('https://redis.example:6379/')).toBeUndefined()
  })

  test('a name is judged by every address it leads to', () => {
    expect(policy.refusesAddress('receiver.example.com', '8.8.8.8')).toBeUndefined()
    expect(policy.refusesAddress('receiver.example.com', '10.0.0.1')).toMatch(/not a public/)
  })

  test('what the operator allows is taken: a host with any port and without TLS, an address, a network', () => {
    const allowing = addressPolicy({ allowed: ['Intranet.example', '127.0.0.1', '10.1.0.0/16', 'fd00:1::/32'] })
    expect(allowing.refusesUrl('http://intranet.example:9000/hook')).toBeUndefined()
    expect(allowing.refusesAddress('intranet.example', '192.168.0.9')).toBeUndefined()
    expect(allowing.refusesUrl('http://127.0.0.1:3000/')).toBeUndefined()
    expect(allowing.refusesUrl('http://127.0.0.2:3000/')).toBeDefined()
    expect(allowing.refusesAddress('a.example', '10.1.2.3')).toBeUndefined()
    expect(allowing.refusesAddress('a.example', '10.2.2.3')).toBeDefined()
    expect(allowing.refusesAddress('a.example', 'fd00:1::9')).toBeUndefined()
  })
})
