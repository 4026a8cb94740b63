// The door of client.
export {};
