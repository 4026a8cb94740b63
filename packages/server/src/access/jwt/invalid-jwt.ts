// The error of an invalid JWT. A file of its own, so that a server without JWTs need not load the verifier
// and jose.

/** The message may be shown to the caller. */
export class InvalidJwt extends Error {
  override readonly name = 'JwtRefused';
}
