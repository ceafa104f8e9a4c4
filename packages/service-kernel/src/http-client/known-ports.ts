// Ports of other services. What listens there may act on the words of a POST: an SMTP server on its headers, a database on
// its body, a container engine on its path. Browsers refuse them for the same reason.

/** Above 1023, which is refused anyway but for 80 and 443: the fetch standard's bad ports (§2.9). */
const badPorts = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
] as const

/** Stores, queues and what starts programs, by their defaults. */
const otherServices: Readonly<Record<string, readonly number[]>> = {
  databases: [
    1433, 1434, 1521, 1522, 1526, 3050, 3306, 5432, 5433, 5984, 6432, 7474, 7687, 8086, 8123, 9042, 9160, 27_017,
    27_018, 27_019, 28_015, 33_060, 50_000,
  ],
  caches: [6379, 6380, 11_211, 16_379],
  searches: [9200, 9300],
  queues: [1883, 4222, 5671, 5672, 8883, 9092, 15_672, 25_672, 61_613, 61_616],
  coordination: [2181, 2379, 2380, 4369, 7946, 8300, 8301, 8302, 8500, 8600],
  'container engines': [2375, 2376, 2377, 4243, 6443, 10_250, 10_255, 10_256],
  secrets: [8200],
  'remote control': [3389, 4505, 4506, 5900, 5901, 5985, 5986, 7001, 9418],
}

const refused: ReadonlySet<number> = new Set([...badPorts, ...Object.values(otherServices).flat()])

/** Whether a webhook, or another call to an address that somebody else chose, may go to this port. */
export const isUsualPort = (port: number): boolean => port === 80 || port === 443 || (port > 1023 && !refused.has(port))
