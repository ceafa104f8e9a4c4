import { isIP } from 'node:net'

/** `10.0.0.7`, `10.0.0.0/8`, `fd00::/8`; bits behind the prefix are refused, because they are probably a mistake. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && hasNoHostBits(address, version, Number(prefix)))
}

function hasNoHostBits(address: string, version: number, prefix: number): boolean {
  const bits = version === 4 ? bitsOfIpv4(address) : bitsOfIpv6(address)
  return prefix <= bits.length && !bits.slice(prefix).includes('1')
}

const bitsOf = (value: number, width: number): string => value.toString(2).padStart(width, '0')

const bitsOfIpv4 = (address: string): string =>
  address
    .split('.')
    .map((byte) => bitsOf(Number(byte), 8))
    .join('')

/** The URL parser shortens every IPv6 address; the zeros of `::` are filled in again. */
function bitsOfIpv6(address: string): string {
  const [head = '', tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : [])
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0')
  return [...groups(head), ...zeros, ...groups(tail)].map((group) => bitsOf(Number.parseInt(group, 16), 16)).join('')
}
