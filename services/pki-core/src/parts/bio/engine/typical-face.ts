// What descriptors have in common: the mean of 40 faces on a picture of the package, none of which the figures of
// docs/biometrics.md are measured with. Without it two faces are alike for being faces. `npm run prove:biometrics` makes it
// anew and compares.
const bytes = [
  'RYQyfycfZo6UdBxnM3JHkpxtPWOUc0M+ICNdSG52S0NBcdMuFk1SQms6ZyJLIVowloNWOKNidWo9JhtmXEAxSCpjJl1XZHIxMlAfMz0jIxEnfJcl',
  'U1pYYlhNHnQQYCQtPjo7rZNkmj1CMlk8ZEEmRjiC0jiNGjtXWmota3c0OzbgXlVFe0ElXTA4VR5aQ0xUSzaObiEsZ1EhRGdqTEwmYVU+YRFgbyI9',
  'YaVtYlBaXk1iRV5HO1Fia1RPYj1kRiCIaGg1REwaPHpAIErCSUFGeYI6E2I/UmJRWzJyhSk+PWE0hyseNjVXUZdYMbpegIoxWTYxUSY8KhBdIjpJ',
  'JDxSMkR9UHpQRXBxOldgdhA8NV2EZ1VQTCVIYkNEOoNTSj1lGJJ8VlZOVD1LM1VsR1I5M5FWTz06YyRqJVotQIPLaTZNtniJdEtuL8peRTh9OHx5',
  'PqgzLmIqJk9SdD+bHVpTRDpbNUtFOk1vlD5aYVknZI5YUXIyUDM3LX5Hj0o5MmuVLmVZYqlnJUqBdlhOVo16H3JPh2chT08+CnhnUlxhSzQ3cx8w',
  'Xk5LouZGRGMfVWN7c1gtNX4qXFpMd49z2WonLzVraFeMeChnkz41VzstS3tKOFMfJnw1bhcxTHRWTm6hLUyQLklAJzxJRjFUcnchLBqPN05OdFRB',
  'WS5WMDdVDV+iL1YiRVhkOW32Nyk0aipqSkJgML2EinwrSzxHN2UrgmY6VohiETqdRDtNR0VhO5VcIi4YWnJnZkeiSJITOTZqbHxQV5Jcd4hSQimH',
  'Z3SiPSFlxTYkZnc5WiprUVtcGSlIS1l+TSKMYnY3khxjV7RdaIM9MTktQFU+SBpxRiBsRD1AamJoaVFdbIy5SEYqezGVLmoxOLlTH0FFXkUsHi5W',
  'Jl6ZWz0qPk1kjqE7WJkmjKcyViUxeGYnXHBknysmZKM1LGobnzBScVcwLSVDIzNaaGdWfV1xP2psomdfMEFJklFL/1ZYYh1mY0xlOmlDQTVEJk1L',
  'TDVciFFZhko2NW0xKpc/L1AwWzo2UD0lUHouRUyBKFNwNHc7MlRZHFZSUldjbWE2Sh5TR5due2kxsEgWa65/MkNXZkZPfSM6OFrBaFR5IFVUdD6H',
  'kIc+fThDMlA2VDRbOopueGd4mChfkBinMy18OVZLLFOqL34zY7Q6l1FIaVeCS51QW3oWdFuIULSrJk4wnFQ4Vp99Syw4QEw+I2w4ZlyEU2ggRzVF',
  'UjxSki5+VG5VjEcpLjgln2ESC1dBSTNYoy2dS4E+RT0fUV0/QYsqXTyVXkIzckxRXChHXVgtPY9irnRKNzYUam8xP2BieoNWFVFQbFElVkdlNCXW',
  'SjlbZCQSqElMNURaV0NCJg==',
].join('')

const LARGEST = 0.066468

export const typicalFace = Float32Array.from(Buffer.from(bytes, 'base64'), (byte) => (byte / 255) * LARGEST)
