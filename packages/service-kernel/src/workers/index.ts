// Loops of a service: sweeps and watchers that run by themselves between start and stop.
export { LOOK_NOW, sweeper, type Worker } from './sweeper.ts'
