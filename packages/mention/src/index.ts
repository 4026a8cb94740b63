// The door of mention.
export {};
