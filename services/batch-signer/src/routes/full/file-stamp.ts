/** A time for file names: `20261115-085700`, UTC. */
export const fileStamp = (moment: Date): string =>
  moment.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
