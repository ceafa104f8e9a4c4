import { describe, expect, test } from 'vitest'
import { distanceFromPlane, type Point } from './plane.ts'

type Spot = readonly [x: number, y: number, z: number]

/** Points on a plate, of which some stand before it, as a nose does before cheeks. */
const spots = (depth: number): readonly Spot[] =>
  Array.from({ length: 40 }, (_, index) => {
    const [x, y] = [((index % 8) - 3.5) * 20, (Math.floor(index / 8) - 2) * 25]
    return [x, y, Math.hypot(x, y) < 40 ? -depth : 0]
  })

/** What a camera sees of them, so far away, turned by so many degrees. */
const seen = (all: readonly Spot[], degrees: number, distance = 600): readonly Point[] =>
  all.map(([x, y, z]) => {
    const angle = (degrees * Math.PI) / 180
    const [across, away] = [x * Math.cos(angle) - z * Math.sin(angle), x * Math.sin(angle) + z * Math.cos(angle)]
    return [(across / (distance + away)) * 500, (y / (distance + away)) * 500]
  })

describe('the distance from a plane', () => {
  test.each([10, 25, 40, 60])('is nothing for a sheet that is turned by %s degrees', (degrees) => {
    expect(distanceFromPlane(seen(spots(0), 0), seen(spots(0), degrees), 80)).toBeCloseTo(0, 9)
    expect(distanceFromPlane(seen(spots(0), 0), seen(spots(0), degrees, 250), 80)).toBeCloseTo(0, 9)
  })

  test('grows with the turn of what is not flat', () => {
    const of = (degrees: number) => distanceFromPlane(seen(spots(45), 0), seen(spots(45), degrees), 80)
    expect(of(0)).toBeCloseTo(0, 9)
    expect(of(25)).toBeGreaterThan(0.05)
    expect(of(25)).toBeGreaterThan(of(10))
  })

  test('does not depend on where the points are, nor on their scale', () => {
    const [before, after] = [seen(spots(45), 0), seen(spots(45), 20)]
    const elsewhere = (points: readonly Point[]) => points.map(([x, y]): Point => [x * 3 + 900, y * 3 - 50])
    const one = distanceFromPlane(before, after, 80)
    expect(distanceFromPlane(elsewhere(before), elsewhere(after), 240)).toBeCloseTo(one, 6)
  })
})
