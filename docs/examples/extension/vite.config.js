// Bundles the service worker into dist, and copies the folder public beside it.
export default {
  build: {
    target: "es2022",
    modulePreload: false,
    rollupOptions: {
      input: "src/service-worker.js",
      output: { entryFileNames: "[name].js" },
    },
  },
};
